"""The history of gates: how measures went from night to night, and where they fell for good."""
