// npm `loadtest`: from the registry, so that `npm ci` is all it takes, small, and with
// requestsPerSecond open loop: its timer sends whether or not there is an answer, on a new client
// when all are waiting. It counts from the real sending; what that was late is added here.
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { loadTest } from 'loadtest';

/** Every request of one load: how late it was sent, and its latency from when it should have been. */
async function send({ url, ratePerSecond, count }) {
  const [sentAt, answers] = [[], []];
  await promisify(loadTest)({
    url: `${url}/index`,
    requestsPerSecond: ratePerSecond,
    maxRequests: count,
    quiet: true,
    indexParam: 'index',
    indexParamCallback: () => sentAt.push(performance.now()) - 1,
    statusCallback: (_error, { path, statusCode, requestElapsed }) =>
      answers.push({ index: Number(path.split('/')[2]), statusCode, requestElapsed }),
  });
  const intended = (index) => (index * 1_000) / ratePerSecond;
  const start = Math.min(...sentAt.map((at, index) => at - intended(index)));
  return answers.map(({ index, statusCode, requestElapsed }) => {
    const lagMillis = sentAt[index] - start - intended(index);
    return { ok: statusCode === 200, lagMillis, latencyMillis: lagMillis + requestElapsed };
  });
}

const loads = JSON.parse(process.argv[2]);
process.send(await Promise.all(loads.map(send)));
process.disconnect();
