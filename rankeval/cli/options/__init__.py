"""Options that commands share: declared once by topic, with one meaning everywhere."""
