import type { Subject } from './subject.ts';

/**
 * One subject, for a process that measures nothing else: it shall not have to load the others, nor
 * carry them about in its heap.
 */
export async function loadSubject(name: string, library: string): Promise<Subject> {
  if (name === 'minimal') return (await import('./minimal.ts')).minimal;
  if (name === 'watertight') return (await import('./watertight.ts')).watertightFrom(library);
  const { peers } = await import('./index.ts');
  const subject = peers.find((peer) => peer.name === name);
  if (!subject) throw new Error(`unknown subject: ${name}`);
  return subject;
}
