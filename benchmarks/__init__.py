"""Speed and memory, measured against other tools on the same work in the same run."""
