"""The server: long-term memory over HTTP, for whoever shows a token that verifies; `create_app` is in `app`."""
