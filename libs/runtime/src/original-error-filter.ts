import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/** Hands on the error as it was thrown: the failure table needs it, and Nest would make "Internal server error" of it. */
@Catch()
export class OriginalErrorFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
