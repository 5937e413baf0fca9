"""Speed and memory, measured: ratios against a peer or a limit of the same run."""
