import { mongoImage, mongoRecipe } from '../containers/mongo.ts';
import { startOwnServer } from '../containers/own-server.ts';
import type { DriverFace } from '../subject.ts';
import { adapt } from './adapt.ts';
import { mongoUrlExample, parseMongoUrl } from './url.ts';

export const mongooseFace: DriverFace = {
  product: 'MongoDB',
  exampleUrl: mongoUrlExample,
  checkUrl: (url) => void parseMongoUrl(url),
  adapt,
  load: async () => (await import('./index.ts')).mongooseRehearsal,
  ownServer: 'MongoDB in a container',
  startServer: ({ signal }) =>
    startOwnServer(
      {
        image: mongoImage(),
        recipe: mongoRecipe,
        ...(signal && { signal }),
      },
      mongoUrlExample,
    ),
};
