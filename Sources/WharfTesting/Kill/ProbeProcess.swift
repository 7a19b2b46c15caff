#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What a program does that is started to be killed: it says each step, and stops at one of them for ever.
package enum ProbeProcess {
    /// One line by one call, which a pipe takes whole or not at all.
    package static func say(_ line: String, to descriptor: Int32 = 1) {
        let bytes = Array((line + "\n").utf8)
        if write(descriptor, bytes, bytes.count) != bytes.count { exit(74) }
    }

    package static func end(_ code: Int32, _ message: String) -> Never {
        say(message, to: 2)
        exit(code)
    }

    package static func haltForEver() {
        while true { pause() }
    }
}
