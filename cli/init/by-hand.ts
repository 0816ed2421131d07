import type { Node } from '@babel/types';
import type { Meaning } from './names.ts';
import { bare, keyOf } from './walk.ts';

/** What makes a pool where init cannot divide it. */
interface Maker {
  readonly module: RegExp;
  /** Members that make one when they are called, or made a class of. */
  readonly names: readonly string[];
  /** What is said of it. */
  readonly what: string;
  readonly page?: string;
  /** Only when its first argument is like this. */
  readonly when?: (first: Node | undefined) => boolean;
}

const usualPage = 'docs/compatibility.md';
const mongoPage = 'docs/mongoose.md';

const makers: readonly Maker[] = [
  {
    module: /^typeorm$/,
    names: ['DataSource', 'createConnection', 'createConnections'],
    what: 'TypeORM makes its own pool',
  },
  {
    module: /^@nestjs\/typeorm$/,
    names: ['TypeOrmModule.forRoot', 'TypeOrmModule.forRootAsync'],
    what: 'TypeORM makes its own pool',
  },
  {
    module: /^(@sequelize\/core|sequelize|sequelize-typescript)$/,
    names: ['*', 'Sequelize'],
    what: 'Sequelize makes its own pool',
  },
  {
    module: /^@nestjs\/sequelize$/,
    names: ['SequelizeModule.forRoot', 'SequelizeModule.forRootAsync'],
    what: 'Sequelize makes its own pool',
  },
  {
    module: /./,
    names: ['PrismaClient'],
    what: 'Prisma makes its own pool',
    when: (first) => !has(first, 'adapter'),
  },
  {
    module: /^@prisma\/adapter-(pg|mariadb)$/,
    names: ['PrismaPg', 'PrismaMariaDb'],
    what: 'Prisma makes its own pool here; give it a partition',
    when: (first) => first !== undefined && bare(first).type === 'ObjectExpression',
  },
  {
    module: /^knex$/,
    names: ['*', 'knex', 'Knex'],
    what: 'Knex makes its own pool',
    when: (first) => !has(first, 'connectionPool'),
  },
  {
    module: /^@mikro-orm\//,
    names: ['MikroORM.init', 'MikroOrmModule.forRoot', 'MikroOrmModule.forRootAsync'],
    what: 'MikroORM makes its own pool',
  },
  {
    module: /^drizzle-orm\/(node-postgres|mysql2)$/,
    names: ['drizzle'],
    what: 'Drizzle makes its own pool here; give it a pool, or a partition',
    when: isConnectionOption,
  },
  { module: /^pg-promise$/, names: ['*'], what: 'pg-promise makes its own pool' },
  { module: /^pg-boss$/, names: ['*', 'PgBoss'], what: 'pg-boss makes its own pool' },
  { module: /^pg-pool$/, names: ['*'], what: "pg-pool: take Pool from 'watertight/pg' instead" },
  { module: /^pg$/, names: ['native.Pool'], what: 'the native pool of pg is not divided' },
  { module: /^postgres$/, names: ['*'], what: 'Postgres.js makes its own pool' },
  { module: /^slonik$/, names: ['createPool'], what: 'Slonik makes its own pool' },
  {
    module: /^mysql$/,
    names: ['createPool'],
    what: 'mysql is the older driver; mysql2 is divided',
  },
  {
    module: /^mysql2(\/promise)?$/,
    names: ['createPoolCluster'],
    what: 'a cluster of pools is not divided',
  },
  {
    module: /^@nestjs\/mongoose$/,
    names: ['MongooseModule.forRoot', 'MongooseModule.forRootAsync'],
    what: 'MongooseModule connects: call partitionConnection in its connectionFactory',
    page: mongoPage,
  },
  {
    module: /^mongodb$/,
    names: ['MongoClient', 'MongoClient.connect'],
    what: 'MongoClient: call partitionClient on it',
    page: mongoPage,
  },
];

/** Plugins of a framework that make a pool when they are registered. */
const plugins = /^(@fastify\/(postgres|mysql|mongodb)|fastify-(mysql|postgres|mongodb))$/;

/** Names of modules that a file with something to find has in it, in quotes. */
export const mentions: RegExp =
  /['"`](?:pg|pg-promise|pg-boss|pg-pool|mysql2?|mysql2\/promise|mongoose|mongodb|typeorm|@nestjs\/(?:typeorm|sequelize|mongoose)|@sequelize\/core|sequelize(?:-typescript)?|knex|@prisma\/adapter-(?:pg|mariadb)|@mikro-orm\/[\w-]+|drizzle-orm\/(?:node-postgres|mysql2)|postgres|slonik|@fastify\/(?:postgres|mysql|mongodb)|fastify-(?:mysql|postgres|mongodb)|watertight\/[\w/]+)['"`]|\bPrismaClient\b/;

export interface ByHand {
  readonly what: string;
  readonly page: string;
}

/** What is said of a call of this, or of a class made of it. */
export function byHandOf({ source, name }: Meaning, first: Node | undefined): ByHand | undefined {
  const maker = makers.find(
    ({ module, names, when }) =>
      module.test(source.module) && names.includes(name) && (when?.(first) ?? true),
  );
  return maker && { what: maker.what, page: maker.page ?? usualPage };
}

export function pluginOf({ source: { module }, name }: Meaning): ByHand | undefined {
  if (name !== '*' || !plugins.test(module)) return undefined;
  return { what: `${module} makes its own pool`, page: usualPage };
}

/** What names a server rather than a pool. */
function isConnectionOption(first: Node | undefined): boolean {
  if (!first) return false;
  if (has(first, 'connection')) return true;
  const node = bare(first);
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  return node.type === 'MemberExpression' && isEnvironment(node.object);
}

/** An object has this option, as far as the file says it. */
function has(given: Node | undefined, option: string): boolean {
  const node = given && bare(given);
  return node?.type === 'ObjectExpression' && node.properties.some((one) => keyOf(one) === option);
}

const isEnvironment = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  node.property.type === 'Identifier' &&
  node.property.name === 'env';
