"""Options that commands share, declared once and with the same meaning in each command."""
