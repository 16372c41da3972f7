"""Who may do what in a project, where people sign in: roles (``roles``), the table of members
(``member_store``), and the store as one person may use it (``personal_store``).
"""

__all__ = ["personal_store", "roles"]
