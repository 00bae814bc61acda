"""What measures stand on: declarations, names, parameters, needs, shared arithmetic."""
