import { createPool } from '../../drivers/mysql2/promise.ts';
import { describeIncident, partitions } from './incident.ts';

describeIncident('mariadb', /^MariaDB \d/, {
  driver: 'mysql2',
  createPool: ({ url, max }) => createPool({ uri: url, connectionLimit: max, partitions }),
});
