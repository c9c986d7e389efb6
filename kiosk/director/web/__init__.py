"""Read requests and send files as all routes do."""
