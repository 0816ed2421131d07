/** For rows/mongoose/migrate-mongo.ts. */
export const up = (db) =>
  db.collection('items').insertMany([{ name: 'first' }, { name: 'second' }]);

export const down = (db) => db.collection('items').deleteMany({});
