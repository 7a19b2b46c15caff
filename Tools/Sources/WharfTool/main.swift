import Foundation
import WharfCommand

let surroundings = Surroundings.process(environment: ProcessInfo.processInfo.environment)
let interrupts = Interrupts(surroundings)
let arguments = Array(CommandLine.arguments.dropFirst())
let run = Task { await Program(surroundings).run(arguments) }
interrupts.listen { run.cancel() }
exit(interrupts.status(of: await run.value).code)
