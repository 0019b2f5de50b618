-- What was refused, named by kind and keyed hash: a leaked secret can be looked for, the log does not hold it.

ALTER TABLE memwarden.audit_event ADD COLUMN fingerprints text[] NOT NULL DEFAULT '{}';
