"""Labels for training: what is worth labelling, what the model thinks of it, and labels brought back from annotation tools."""
