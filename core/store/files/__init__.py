"""What leaves and enters as a file: a whole project, or its labels."""

__all__ = ["label_files", "label_import", "spreadsheet_cells"]
