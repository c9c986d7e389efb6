"""Read French-suited cards of any deck by their printed indices, with no deck learned."""
