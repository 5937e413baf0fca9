"""Trainable models on PyTorch (extra ``neural``); torch is imported when a model is made, not before."""
