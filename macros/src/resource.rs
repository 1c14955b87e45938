//! `#[resource]`: something to read at an address, or at every address of a template.

mod options;
mod template;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemFn, LitStr};

use self::options::ResourceOptions;
use crate::{
    errors::{self, Errors},
    function::{self, Function, Kind},
    options::Options,
};

struct Resource {
    uri: String,
    options: ResourceOptions,
    function: Function,
}

pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let item = match function::parse(item, Kind::Resource) {
        Ok(item) => item,
        Err(unchanged) => return unchanged,
    };
    match errors::collect(|errors| parse(options, &item, errors)) {
        Ok(resource) => self::resource(&resource),
        Err(error) => function::expand::fallback(&item, Kind::Resource, &error),
    }
}

fn parse(options: TokenStream, item: &ItemFn, errors: &mut Errors) -> Resource {
    let mut options = Options::parse(options, errors);
    let uri = options.needed_text("uri", &item.sig.ident);
    let read = ResourceOptions::read(&mut options);
    options.finish("a resource");
    let function = Function::read(item, Kind::Resource, errors);
    if let Some(uri) = &uri {
        check_uri(uri, &read, &function, errors);
    }
    Resource { uri: uri.map(|it| it.value()).unwrap_or_default(), options: read, function }
}

/// The variables of a template and the parameters of the function are the same names, and it has no size.
fn check_uri(uri: &LitStr, options: &ResourceOptions, function: &Function, errors: &mut Errors) {
    let variables = match template::variables(&uri.value()) {
        Ok(variables) => variables,
        Err(problem) => return errors.at(uri, problem),
    };
    // server/resources#resource-templates
    if let Some((_, size)) = options.size.as_ref().filter(|_| !variables.is_empty()) {
        errors.at(size, "a template has no size: its `uri` stands for many resources");
    }
    for parameter in function.parameters.iter().filter(|it| !variables.contains(&it.name)) {
        let name = &parameter.name;
        errors.at(&parameter.ident, format_args!("nothing fills this in: the `uri` has no `{{{name}}}`"));
    }
    for variable in variables.iter().filter(|it| function.parameters.iter().all(|that| that.name != **it)) {
        errors.at(
            uri,
            format_args!("`{{{variable}}}` goes nowhere: the function has no parameter `{variable}`"),
        );
    }
}

fn resource(resource: &Resource) -> TokenStream {
    let item = &resource.function.item;
    let marker = resource.function.marker();
    let conversion = resource.function.conversion(Kind::Resource, &body(resource));
    quote! {
        #item
        #marker
        #conversion
    }
}

fn body(resource: &Resource) -> TokenStream {
    let Resource { uri, options, function } = resource;
    let Function { name, doc, output, .. } = function;
    let output = &output.ty;
    let schema = function.schema();
    let run = function.run();
    let options = options.calls();
    let completions = function.completions();
    quote! {
        ::tollgate::private::resource::<#output, __S, _, _>(#uri, #name, #doc, #schema, #run)
            #options #completions
    }
}
