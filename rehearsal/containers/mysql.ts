import type { ContainerRecipe } from './recipe.ts';

const password = 's3cret';

export const mysqlImage = (): string => process.env['WATERTIGHT_MYSQL_IMAGE'] ?? 'mysql:9';

/** @param prefix of the variables: MySQL and MariaDB have their own */
export const mysqlRecipe = (prefix: 'MYSQL' | 'MARIADB', connections: number): ContainerRecipe => ({
  port: 3306,
  environment: { [`${prefix}_ROOT_PASSWORD`]: password, [`${prefix}_DATABASE`]: 'shop' },
  arguments: [`--max-connections=${connections}`],
  url: (port) => `mysql://root:${password}@127.0.0.1:${port}/shop`,
  async ping(url) {
    const { default: mysql } = await import('mysql2/promise');
    const connection = await mysql.createConnection(url);
    await connection.query('select 1').finally(() => connection.destroy());
  },
});
