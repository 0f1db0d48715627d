"""What depends on human language, Chinese and English side by side (floor 2).

Rules where a format is fixed, fitted heads where meaning decides; both infer offline.
"""
