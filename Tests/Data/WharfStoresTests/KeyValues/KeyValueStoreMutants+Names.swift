import Foundation
import Synchronization
import WharfChecks
import WharfCore
import WharfStores

extension KeyValueStoreMutants {
    static let names: [Mutant] = [
        mutant("ignores case", breaks: lookAlikes) { $0.reads { $0.lowercased() } },
        mutant("composes what is canonically equivalent", breaks: lookAlikes) {
            $0.reads { $0.precomposedStringWithCanonicalMapping }
        },
        mutant("ends a name at NUL", breaks: lookAlikes) { $0.reads { String($0.prefix { $0 != "\0" }) } },
        mutant("takes 255 bytes of a name", breaks: lookAlikes) {
            $0.reads { String(decoding: $0.utf8.prefix(255), as: UTF8.self) }
        },
        mutant("orders by canonical equivalence", breaks: order) {
            $0.lists { names, prefix in prefix.isEmpty ? names.sorted() : names }
        },
        mutant("orders by UTF-16", breaks: order) {
            $0.lists { names, prefix in
                prefix.isEmpty ? names.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) } : names
            }
        },
        mutant("lists the last of 32 again with those that follow", breaks: order) {
            $0.lists { names, _ in names.count > 32 ? Array(names.prefix(32) + names.dropFirst(31)) : names }
        },
        mutant("ignores the case of a name", breaks: prefix) {
            $0.matches { name, prefix in
                name.utf8.starts(with: prefix.utf8) || name.lowercased().utf8.starts(with: prefix.utf8)
            }
        },
        mutant("takes % for whatever follows", breaks: prefix) {
            $0.matches { name, prefix in name.utf8.starts(with: prefix.prefix { $0 != "%" }.utf8) }
        },
        mutant("compares characters", breaks: "a prefix may end within a character") {
            $0.matches { name, prefix in name.hasPrefix(prefix) }
        },
        mutant("lists by a prefix what it has listed before", breaks: "the listed names follow sets and removals") {
            store in
            // Compares bytes, as canonically equivalent names are different.
            let listed = Mutex<[[UInt8]: [String]]>([:])
            store.lists { names, prefix in
                listed.withLock { listed in
                    if !prefix.isEmpty, let before = listed[Array(prefix.utf8)] { return before }
                    listed[Array(prefix.utf8)] = names
                    return names
                }
            }
        },
    ]

    private static let lookAlikes = "any text is a name, and names that look alike are different"
    private static let order = "the empty prefix has each name once, in the order of UTF-8"
    private static let prefix = "a prefix has the names that begin with its bytes, and no other"
}
