import 'reflect-metadata';
import {
  Controller,
  Get,
  Global,
  Inject,
  Module,
  Param,
  Post,
  type INestApplication,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { getConnectionToken, getModelToken, MongooseModule } from '@nestjs/mongoose';
import mongoose, { Schema, type Connection, type Model } from 'mongoose';
import { partitionConnection, type Partitioned } from 'watertight/mongoose';
import { AcquireErrorFilter } from '../../support/acquire-error-filter.ts';
import { playFramework } from '../../support/framework.ts';
import { division as options, poolOptions, serveMongo } from '../../support/mongo.ts';

interface Item {
  name: string;
}

@Controller('names')
class Names {
  constructor(@Inject(getModelToken('Item', 'order')) private readonly items: Model<Item>) {}

  @Get()
  async all(): Promise<string[]> {
    return (await this.items.find()).map(({ name }) => name);
  }

  @Post(':name')
  async add(@Param('name') name: string): Promise<void> {
    await this.items.create({ name });
  }
}

// #region wire
type Partitions = Partitioned<'order' | 'batch', Connection>;
const names = ['order', 'batch'] as const;

/** `@InjectConnection('batch')`, `@InjectModel('Item', 'batch')`: a connection for each partition. */
@Global()
@Module({
  providers: [
    {
      provide: 'partitions',
      inject: [getConnectionToken()],
      useFactory: (connection: Connection): Partitions => partitionConnection(connection, options),
    },
    ...names.map((name) => ({
      provide: getConnectionToken(name),
      inject: ['partitions'],
      useFactory: (partitions: Partitions) => partitions.partition(name),
    })),
  ],
  exports: names.map((name) => getConnectionToken(name)),
})
class PartitionsModule {}
// #endregion

const start = (url: string): Promise<INestApplication> => {
  const schema = new Schema<Item>({ name: String });
  @Module({
    imports: [
      MongooseModule.forRoot(url, poolOptions),
      PartitionsModule,
      MongooseModule.forFeature([{ name: 'Item', schema }], 'order'),
    ],
    providers: [{ provide: APP_FILTER, useClass: AcquireErrorFilter }],
    controllers: [Names],
  })
  class App {}
  return NestFactory.create(App, { logger: false });
};

let app: INestApplication;

const serve = (title: string) =>
  serveMongo<Connection>(title, async (url) => {
    app = await start(url);
    return {
      partitioned: app.get<Partitions>('partitions'),
      database: ({ db }) => db!,
      isOpen: ({ readyState }) => readyState === mongoose.ConnectionStates.connected,
    };
  });

playFramework('@nestjs/mongoose', serve, {
  async start() {
    await app.listen(0, '127.0.0.1');
    return { url: await app.getUrl(), close: () => app.close() };
  },
  ends: 'pool',
});
