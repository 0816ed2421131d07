import { loadConfig, type LoadOptions, type ServiceConfig } from '../../config/index.ts';
import { isConfigError } from '../../src/index.ts';
import { folder } from './folder.ts';

export const FILE = 'watertight.config.json';

/** What `loadConfig` makes of these files and this environment. */
export function loaded(
  code: ServiceConfig,
  files: Readonly<Record<string, string>> = {},
  options: LoadOptions = {},
): ServiceConfig {
  using made = folder(files);
  return loadConfig(code, { cwd: made.path, env: {}, ...options });
}

export function faults(...given: Parameters<typeof loaded>): string[] {
  try {
    loaded(...given);
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return error.faults.map(({ path, rule }) => `${path}: ${rule}`);
  }
  return [];
}

export const shop = `{
  "acquireTimeoutMillis": 500,
  "services": {
    "shop": {
      "max": 20,
      "defaultPartition": "order",
      "partitions": {
        "order": { "size": 8, "acquireTimeoutMillis": 250 },
        "search": 8,
        "batch": { "size": 2, "max": 4 }
      }
    },
    "mail": { "partitions": { "send": 3 }, "maxWaiting": "Infinity" }
  }
}`;
