/** `node bundle.mjs BUNDLER PROGRAM FILE`: bundles and minifies a program and all it needs for Node. */
import { basename, dirname, resolve } from 'node:path';
import { rspack } from '@rspack/core';
import { build } from 'esbuild';
import webpack from 'webpack';

const [bundler, program, file] = process.argv.slice(2);
const entry = resolve(program);
/** Of pg, which loads it only when it is asked for. */
const missing = 'pg-native';

const pack = (compile) =>
  new Promise((done, fail) => {
    const config = {
      mode: 'production',
      target: 'node20',
      entry,
      // Top-level await needs a module, whose libraries ask for Node's modules with `require`.
      experiments: { outputModule: true },
      output: { path: dirname(file), filename: basename(file), module: true },
      externals: { [missing]: `node-commonjs ${missing}` },
    };
    if (compile === rspack) delete config.experiments;
    compile(config, (error, stats) => {
      if (error || stats.hasErrors()) fail(error ?? new Error(stats.toString('errors-only')));
      else done();
    });
  });

const bundlers = {
  webpack: () => pack(webpack),
  '@rspack/core': () => pack(rspack),
  esbuild: () =>
    build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      external: [missing],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      outfile: file,
      logLevel: 'error',
    }),
};

await bundlers[bundler]();
