import { RehearsalError } from './errors.ts';
import { mongooseFace } from './mongoose/face.ts';
import { mysql2Face } from './mysql2/face.ts';
import { pgFace } from './pg/face.ts';
import type { DriverFace, PluggableDriver } from './subject.ts';

export type DriverName = 'pg' | 'mysql2' | 'mongoose';

/** The drivers that can be rehearsed; none is loaded before it is needed. */
export const drivers: Readonly<Record<DriverName, DriverFace>> = {
  pg: pgFace,
  mysql2: mysql2Face,
  mongoose: mongooseFace,
};

export const driverNames: readonly DriverName[] = Object.keys(drivers) as DriverName[];

export const isDriverName = (name: unknown): name is DriverName =>
  typeof name === 'string' && Object.hasOwn(drivers, name);

/** @throws `ERR_NO_SERVER` with the command to install it */
export async function loadDriver(name: DriverName): Promise<PluggableDriver> {
  try {
    return await drivers[name].load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    // The package, or a part of it such as mysql2/promise.
    const isDriver = new RegExp(`'${name}['/]`).test(String(error));
    if (!missing || !isDriver) throw error;
    const message = `the driver is not installed: npm install ${name}`;
    throw new RehearsalError('ERR_NO_SERVER', message, { cause: error });
  }
}
