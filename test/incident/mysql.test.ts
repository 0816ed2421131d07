import { createPool } from '../../drivers/mysql2/index.ts';
import { describeIncident, partitions } from './incident.ts';

describeIncident('mysql', /^MySQL \d/, {
  driver: 'mysql2',
  createPool: ({ url, max }) => createPool({ uri: url, connectionLimit: max, partitions }),
});
