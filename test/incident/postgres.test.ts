import { Pool } from '../../drivers/pg/index.ts';
import { describeIncident, partitions } from './incident.ts';

describeIncident('postgres', /^PostgreSQL \d/, {
  createPool: ({ url, max }) => new Pool({ connectionString: url, max, partitions }),
});
