"""Product quantization: approximate scores from codebooks."""
