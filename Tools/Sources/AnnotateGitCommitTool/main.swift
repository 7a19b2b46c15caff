import AnnotateGitCommit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// An asynchronous `main` ends its thread by unwinding, for which a static executable first sorts
// its frames: 10 ms. `_exit` skips that. At the end `exit` would only wait for threads of
// Subprocess.
Task.detached {
    _exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
}
while true { pause() }
