// The self-contained HTML report of the program: a job like any other, waited for because the user asked for a file.
import { call } from '../server';
import type { JobResult, JobState, ReportResult, SceneRequest } from '../types';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function reportFile(scene: SceneRequest, t_end: number, tell: (progress: number) => void): Promise<Blob> {
  const started = await call<JobState>('job', { kind: 'report', scene, t_end });
  for (;;) {
    const job = await call<JobResult<ReportResult>>('result', { id: started.id, after: 0 });
    if (job.state === 'failed') throw new Error(job.error);
    if (job.state === 'cancelled') throw new Error('the report was stopped');
    if (job.state === 'done' && job.result) return new Blob([job.result.html], { type: 'text/html' });
    tell(job.progress);
    await pause(200);
  }
}
