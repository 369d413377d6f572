"""The ten steps of the post-game sequence, a module each. None of them knows another."""
