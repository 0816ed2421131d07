import { setUp } from '../setup.ts';

export default (): Promise<void> => setUp(['postgres', 'mysql']);
