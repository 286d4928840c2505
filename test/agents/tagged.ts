/** A local service whose responses name their owner and their request: HTTP requests without a body only. */
import { Duplex } from 'node:stream';
import type { Home } from './join.ts';

const HEAD_END = '\r\n\r\n';

export function tagged(tag: string): Home {
  return () => {
    let unread = '';
    const service = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        const [rest = '', ...heads] = `${unread}${chunk.toString('latin1')}`.split(HEAD_END).reverse();
        unread = rest;
        for (const head of heads.reverse()) service.push(answer(`${tag} ${head.split(' ', 2)[1]}`));
        done();
      },
      final(done) {
        service.push(null);
        done();
      },
    });
    return service;
  };
}

function answer(text: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}${HEAD_END}${text}`;
}
