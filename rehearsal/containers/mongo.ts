import type { ContainerRecipe } from './recipe.ts';

export const mongoImage = (): string => process.env['WATERTIGHT_MONGO_IMAGE'] ?? 'mongo:8';

export const mongoRecipe: ContainerRecipe = {
  port: 27017,
  environment: {},
  arguments: [],
  url: (port) => `mongodb://127.0.0.1:${port}/shop`,
  async ping(url) {
    const { default: mongoose } = await import('mongoose');
    const client = new mongoose.mongo.MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
    await client
      .db()
      .command({ ping: 1 })
      .finally(() => client.close());
  },
};
