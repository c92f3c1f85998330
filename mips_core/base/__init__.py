"""What every room stands on: arrays, parameters, progress, errors, threads. It knows no method."""
