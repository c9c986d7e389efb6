"""Put right what was said, signed or ruled."""
