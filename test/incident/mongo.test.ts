import { Mongoose } from 'mongoose';
import { partitionConnection } from '../../drivers/mongoose/index.ts';
import { describeIncident, partitions } from './incident.ts';

describeIncident('mongo', /^(MongoDB|FerretDB)/, {
  driver: 'mongoose',
  createPool({ url, max }) {
    const pool = { maxPoolSize: max, maxConnecting: max };
    const connection = new Mongoose().createConnection(url, pool);
    return partitionConnection(connection, { partitions, max, finishReserve: 0 });
  },
});
