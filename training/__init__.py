"""Everything around the weights: corpus, training, distillation, export, evaluation. Needs `claimx[train]` for most of it."""
