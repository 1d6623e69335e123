import { createServer } from 'node:net';

/** Whether something listens on a loopback port, over IPv4 or IPv6. */
export async function portInUse(port: number): Promise<boolean> {
  const taken = await Promise.all(['127.0.0.1', '::1'].map((host) => takenOn(host, port)));
  return taken.includes(true);
}

function takenOn(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    // A machine without IPv6 answers EADDRNOTAVAIL: nobody can listen there.
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES'),
    );
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}
