"""PostgreSQL: the only room that speaks SQL. It knows scopes, rows and roles, and no policy."""
