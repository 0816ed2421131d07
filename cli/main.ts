#!/usr/bin/env node
import { run } from './command.ts';

async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2));
}

void main();
