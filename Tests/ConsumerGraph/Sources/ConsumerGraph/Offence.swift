public import Foundation

/// A violation of the table by the source tree.
public struct Offence: Sendable, Hashable, CustomStringConvertible {
    /// The location, such as `Sources/Contracts/WharfCore/Account.swift:3`, or `Package.swift`.
    public let place: String
    public let message: String

    public var description: String { "\(place): \(message) (the table: \(Table.path))" }
}

extension Table {
    /// Returns all offences of a package: first those of its manifest, then those of its sources by
    /// path.
    ///
    /// - Parameter root: the folder that contains `Package.swift`.
    public func offences(of manifest: Manifest, at root: URL) throws -> [Offence] {
        var offences: [Offence] = []
        let targets = manifest.libraryTargets
        let known = Set(targets.map(\.name))
        for product in manifest.products {
            for target in product.targets where !known.contains(target) {
                offences.append(
                    Offence(
                        place: "Package.swift",
                        message: "product \(product.name) holds \(target), which is a test or lives under Tests"
                    )
                )
            }
        }
        for target in targets {
            guard let rule = rule(for: target.name) else {
                offences.append(
                    Offence(place: "Package.swift", message: "target \(target.name) has no row; say what it may import")
                )
                continue
            }
            for dependency in target.dependencies where !rule.allows(dependency.name) {
                offences.append(
                    Offence(
                        place: "Package.swift",
                        message: "target \(target.name) depends on \(dependency.name); it may import \(rule.allowed)"
                    )
                )
            }
        }
        for target in targets {
            guard let rule = rule(for: target.name) else { continue }
            for file in try Tree.swiftFiles(under: target.folder, of: root) {
                let source = try String(contentsOf: root.appending(path: file), encoding: .utf8)
                offences += rule.offences(of: Import.scan(source), in: file)
                offences += ContinuationUse.offences(of: source, in: file, target: target.name)
            }
        }
        return offences
    }
}

extension Rule {
    /// Returns the violations of this row by the imports of one file.
    public func offences(of imports: [Import], in file: String) -> [Offence] {
        imports.compactMap { found in
            let place = "\(file):\(found.line)"
            if !allows(found.module, in: file) {
                return Offence(place: place, message: "\(target) imports \(found.module); it may import \(allowed)")
            }
            if found.isReexported, !reexports.contains(found.module) {
                let allowed = reexports.isEmpty ? "nothing" : reexports.sorted().joined(separator: ", ")
                return Offence(
                    place: place, message: "\(target) re-exports \(found.module); it may re-export \(allowed)")
            }
            return nil
        }
    }
}
