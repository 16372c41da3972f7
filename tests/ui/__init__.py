"""The app: pages, desk, routes, jobs."""
