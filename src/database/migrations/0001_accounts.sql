-- accounts
CREATE TABLE t (a);
