import { type ArgumentsHost, Catch } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { isAcquireError } from 'watertight';

/** As in docs/errors.md. */
@Catch()
export class AcquireErrorFilter extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    if (isAcquireError(error)) host.switchToHttp().getResponse().set(error.headers);
    super.catch(error, host);
  }
}
