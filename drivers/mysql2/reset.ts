import { onceWithin } from '../shared/limit.ts';
import { kFresh, type TrackedConnection } from './connection.ts';
import type { Physical } from './physical.ts';

type Done = (error?: Error | null) => void;
type Step = (done: Done) => void;

/** What only some versions of mysql2 have. */
interface Resettable {
  reset?(done: Done): unknown;
}

/** A capability that mysql2 asks for by default; the server makes a session variable of it. */
const CLIENT_IGNORE_SPACE = 256;

/**
 * Takes back what holders have set on the session: variables, temporary tables, locks, prepared
 * statements, an open transaction, the current database.
 * @param done is told once; within a limit, since a silent server must not keep the permit
 */
export function resetSession(
  connection: TrackedConnection,
  physical: Physical,
  done: (error?: Error) => void,
): void {
  const once = onceWithin(physical.limitMillis, 'the reset of a session', (error) => {
    connection[kFresh] = true;
    done(error);
  });
  inTurn(stepsFor(connection, physical), (error) => once(error ?? undefined));
}

function stepsFor(connection: TrackedConnection, physical: Physical): Step[] {
  const { user, database } = physical.config.connectionConfig;
  const resettable: Resettable = connection;
  const steps: Step[] = [];
  if (resettable.reset && database && connection.config.user === user) {
    // COM_RESET_CONNECTION keeps the current database.
    steps.push((done) => resettable.reset?.(done));
    steps.push((done) => connection.query('USE ??', [database], done));
  } else {
    steps.push((done) => logInAgain(connection, physical, done));
  }
  const { clientFlags } = connection.config as { clientFlags?: number };
  if ((clientFlags ?? 0) & CLIENT_IGNORE_SPACE) {
    const sql = "SET SESSION sql_mode = CONCAT(@@sql_mode, ',IGNORE_SPACE')";
    steps.push((done) => connection.query(sql, done));
  }
  return steps;
}

/** The session begins anew, as whoever the pool was made for, in its database or in none. */
function logInAgain(connection: TrackedConnection, { config }: Physical, done: Done): void {
  const { user, password, database } = config.connectionConfig;
  // mysql2 would take what is missing here from what the last holder has changed to.
  Object.assign(connection.config, { user, password, database });
  connection.changeUser({}, done);
}

function inTurn(steps: readonly Step[], done: Done): void {
  const [first, ...others] = steps;
  if (!first) return done();
  first((error) => {
    if (error) done(error);
    else inTurn(others, done);
  });
}
