/** A process that speaks enough of MySQL's protocol for `select 1`. */
import { createServer, type AddressInfo } from 'node:net';
import { mysqlAnswers } from '../overhead/mysql-answers.ts';

const listener = createServer((socket) => {
  const { greeting, answer } = mysqlAnswers();
  socket.setNoDelay();
  socket.on('error', () => {});
  socket.on('data', (message) => {
    const reply = answer(message);
    if (reply) socket.write(reply);
  });
  if (greeting) socket.write(greeting);
});

listener.listen(0, '127.0.0.1', () => {
  const { port } = listener.address() as AddressInfo;
  process.send?.({ MySQL: `mysql://root@127.0.0.1:${port}/shop` });
});
process.once('disconnect', () => process.exit(0));
