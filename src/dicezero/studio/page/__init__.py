"""The page: boards, views and the app that serves them, in NiceGUI."""
