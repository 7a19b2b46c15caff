#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the members that the macro adds to an interface.
struct InterfaceCode {
    let model: InterfaceModel
    /// The name in messages, as in `ProfileView.ProfileReading`.
    let name: String
    /// The access modifier, followed by a blank.
    let access: String

    var members: [DeclSyntax] {
        var parts = [initializer]
        if let service = model.service { parts.append(initializer(from: service)) }
        parts += [unimplemented, overriding]
        parts += model.endpoints.filter(\.hasMethod).map(method)
        return parts.map { "\(raw: $0.text)" }
    }

    private var initializer: Code {
        var code = Code()
        code.list("\(access)init(", model.endpoints.map { "\($0.name): \($0.parameterType)" }, ") {")
        for endpoint in model.endpoints { code.line("    self.\(endpoint.name) = \(endpoint.name)") }
        code.line("}")
        return code
    }

    private func initializer(from service: String) -> Code {
        var code = Code()
        code.block("\(access)init(_ service: \(service))") { code in
            code.list("self.init(", model.endpoints.map { "\($0.name): \(implementation(of: $0))" }, ")")
        }
        return code
    }

    private func implementation(of endpoint: InterfaceEndpoint) -> String {
        guard let closure = endpoint.closure else {
            return endpoint.standIn == nil ? "\(endpoint.type)(service)" : "service.\(endpoint.name)"
        }
        // A closure with a written signature can't use `$0`.
        let names = closure.parameters.indices.map { closure.onlyError == nil ? "$\($0)" : "value\($0)" }
        let arguments = zip(closure.parameters, names).map { parameter, name in
            (parameter.label.map { "\($0): " } ?? "") + (parameter.isInout ? "&" : "") + name
        }
        let call = "service.\(endpoint.method)(\(arguments.joined(separator: ", ")))"
        guard closure.mayThrow else {
            return closure.isAsync ? "{ await forwarded(\(call), throwing: Never.self) }" : "{ \(call) }"
        }
        guard let error = closure.onlyError else { return "{ \(closure.marks)forwarded(\(call)) }" }
        // A closure without an explicit signature would throw `any Error`.
        let parameters = zip(names, closure.parameters).map { "\($0): \($1.type)" }.joined(separator: ", ")
        let head = "(\(parameters))\(closure.effects) -> \(closure.result) in"
        return "{ \(head) \(closure.marks)forwarded(\(call), throwing: (\(error)).self) }"
    }

    private var unimplemented: Code {
        var code = Code()
        code.block("\(access)static var unimplemented: Self") { code in
            code.list("Self(", model.endpoints.map { "\($0.name): \(stub(of: $0))" }, ")")
        }
        return code
    }

    private func stub(of endpoint: InterfaceEndpoint) -> String {
        guard let closure = endpoint.closure else {
            return endpoint.standIn?.trimmedDescription ?? "\(endpoint.type).unimplemented"
        }
        let called = "\(name).\(endpoint.calledAs)".literal
        let ignored = closure.parameters.map { _ in "_" }.joined(separator: ", ")
        let head = ignored.isEmpty ? "" : "\(ignored) in "
        // It throws the error of a missing implementation; otherwise a stand-in is returned after
        // the failure.
        guard !closure.throwsAnyError else { return "{ \(head)try unimplementedEndpoint(\(called)) }" }
        let value = endpoint.standIn?.trimmedDescription ?? "()"
        return "{ \(head)unimplementedEndpoint(\(called), default: \(value)) }"
    }

    private var overriding: Code {
        var code = Code()
        code.list(
            "\(access)func overriding(", model.endpoints.map { "\($0.name): \($0.optionalType) = nil" }, ") -> Self {")
        var body = Code()
        body.list("Self(", model.endpoints.map { "\($0.name): \($0.name) ?? self.\($0.name)" }, ")")
        for line in body.lines { code.line("    " + line) }
        code.line("}")
        return code
    }

    private func method(_ endpoint: InterfaceEndpoint) -> Code {
        var code = Code()
        guard let closure = endpoint.closure else { return code }
        for line in endpoint.documentation { code.line(line) }
        let generic = closure.generic
        var parameters: [String] = []
        var arguments: [String] = []
        for (index, parameter) in closure.parameters.enumerated() {
            let type = generic?.parameter == index ? "Value.Type" : parameter.type
            let name = parameter.readName ?? "value\(index)"
            parameters.append((parameter.label ?? "_ \(name)") + ": \(type)")
            arguments.append((parameter.isInout ? "&" : "") + name)
        }
        let clause = generic.map { "<Value: \($0.bound)>" } ?? ""
        let result = generic == nil ? closure.result.trimmedDescription : "Value"
        let head = "\(closure.actor)\(access)func \(endpoint.method)\(clause)(\(parameters.joined(separator: ", ")))"
        let call = "self.\(endpoint.name)(\(arguments.joined(separator: ", ")))"
        code.block(head + closure.effects + (closure.returnsNothing ? "" : " -> \(result)")) { code in
            let value = generic == nil ? call : "genericEndpoint(\("\(name).\(endpoint.calledAs)".literal), \(call))"
            code.line(closure.marks + value)
        }
        return code
    }
}

extension Code {
    /// Writes one item per line between a head and a tail; without items both on one line.
    fileprivate mutating func list(_ head: String, _ items: [String], _ tail: String) {
        guard !items.isEmpty else { return line(head + tail) }
        line(head)
        for (index, item) in items.enumerated() { line("    " + item + (index + 1 < items.count ? "," : "")) }
        line(tail)
    }
}
#endif
